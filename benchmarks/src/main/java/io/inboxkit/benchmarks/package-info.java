@NullMarked
package io.inboxkit.benchmarks;

import org.jspecify.annotations.NullMarked;
