package example.ledger.register;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.UUID;

@Entity
public class Pharmacy {
    @Id private UUID id;
    private String name;
    private byte[] certificate;

    public String name() {
        return name;
    }
}
