package io.inboxkit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;

/** The page that users read and the metadata that their editors show must say the same. */
class ConfigurationPageTest {

    private static final Path PAGE = Path.of("..", "docs", "configuration.md");

    private static final Pattern ROW = Pattern.compile("\\| `(inbox\\.[a-z.-]+)` \\| (?:`([^`]*)`|none) \\| (.+) \\|");

    @Test
    void everyPropertyIsOnThePageWithItsDefault() throws IOException {
        assertThat(propertiesOfThePage()).isEqualTo(propertiesOfTheMetadata());
    }

    @Test
    void everyPropertyHasADescriptionThatStandsAlone() throws IOException {
        assertThat(metadata()).allSatisfy(property -> assertThat((String) property.get("description"))
                .as("%s", property.get("name"))
                .isNotBlank()
                .doesNotContain("{@"));
    }

    private static Map<String, String> propertiesOfThePage() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        for (String line : Files.readAllLines(PAGE)) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                properties.put(row.group(1), Objects.requireNonNullElse(row.group(2), ""));
            }
        }
        return properties;
    }

    private static Map<String, String> propertiesOfTheMetadata() throws IOException {
        Map<String, String> properties = new TreeMap<>();
        metadata()
                .forEach(property -> properties.put(
                        (String) property.get("name"),
                        String.valueOf(property.get("defaultValue")).replaceAll("^\\[|]$", "")));
        return properties;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> metadata() throws IOException {
        // By its path: on the class path other jars have a file of this name too.
        Path file = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
        Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(Files.readString(file));
        return (List<Map<String, Object>>) Objects.requireNonNull(metadata.get("properties"), "properties");
    }
}
