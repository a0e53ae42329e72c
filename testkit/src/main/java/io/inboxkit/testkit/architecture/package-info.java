/** The rules of the package map, as tests that each module inherits. */
@NullMarked
package io.inboxkit.testkit.architecture;

import org.jspecify.annotations.NullMarked;
