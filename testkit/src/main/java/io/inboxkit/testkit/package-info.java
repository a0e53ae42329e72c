/** Real services, faults and contracts for the tests of all modules, and the embedded services of the demo. */
@NullMarked
package io.inboxkit.testkit;

import org.jspecify.annotations.NullMarked;
