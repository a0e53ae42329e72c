/** The application that people copy: it books a payment for every order, once. It knows nothing of the demo around it. */
@NullMarked
package io.inboxkit.demo.billing;

import org.jspecify.annotations.NullMarked;
