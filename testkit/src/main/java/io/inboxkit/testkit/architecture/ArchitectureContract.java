package io.inboxkit.testkit.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * What holds in every module: inside it, imports point from {@code autoconfigure} to the packages beside it and from
 * those to the root package, never back and never sideways.
 *
 * <p>A module inherits the tests by a subclass that names one class of its root package. Packages that do not exist yet
 * are no failure.
 */
public abstract class ArchitectureContract {

    private final String root;
    private final JavaClasses module;

    /**
     * The contract of the module that {@code rootType} was compiled in.
     *
     * @param rootType a class of the module's root package
     */
    protected ArchitectureContract(Class<?> rootType) {
        this.root = rootType.getPackageName();
        this.module = new ClassFileImporter().importPath(classesDirectory(rootType));
    }

    @Test
    void rootPackageImportsNoPackageBelowIt() {
        noClasses()
                .that()
                .resideInAPackage(root)
                .should()
                .dependOnClassesThat(belowRoot())
                .because("users see the root package, and everything else is built on it")
                .check(module);
    }

    @Test
    void packagesBesideEachOtherDoNotImportEachOther() {
        slices().matching(root + ".(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage(root + ".autoconfigure.."), alwaysTrue())
                .because("only autoconfigure joins them")
                .allowEmptyShould(true)
                .check(module);
    }

    @Test
    void noPackageIsCalledByWhatItIsNot() {
        noClasses()
                .should()
                .resideInAnyPackage(
                        "..util..", "..utils..", "..common..", "..impl..", "..helper..", "..helpers..", "..model..")
                .because("such a name says nothing about what belongs there")
                .check(module);
    }

    @Test
    void noClassIsCalledByItsPlaceInAPattern() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Manager|Helper|Utils?)|.*\\.(Abstract|Default)[A-Z]\\w*")
                .because("names are those of the field: technology, concept, role")
                .check(module);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes().should(beInANullMarkedPackage()).check(module);
    }

    private DescribedPredicate<JavaClass> belowRoot() {
        return resideInAPackage(root + "..").and(not(resideInAPackage(root))).as("are below " + root);
    }

    private static ArchCondition<JavaClass> beInANullMarkedPackage() {
        return new ArchCondition<>("be in a package whose package-info.java says @NullMarked") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
                    events.add(SimpleConditionEvent.violated(
                            type, type.getName() + ": add a package-info.java with @NullMarked to its package"));
                }
            }
        };
    }

    private static Path classesDirectory(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("The classes of " + type + " are at no path", e);
        }
    }
}
