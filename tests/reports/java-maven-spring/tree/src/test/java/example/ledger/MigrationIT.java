package example.ledger;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;

@SpringBootTest(properties = "spring.datasource.url=jdbc:tc:postgresql:15:///ledger")
class MigrationIT {
    @Test
    void theSchemaFitsTheEntities() {}
}
