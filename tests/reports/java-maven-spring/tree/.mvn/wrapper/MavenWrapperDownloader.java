import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

public final class MavenWrapperDownloader {
    public static void main(String[] args) throws Exception {
        try (var in = URI.create(args[0]).toURL().openStream()) {
            Files.copy(in, Path.of(args[1]));
        }
    }
}
