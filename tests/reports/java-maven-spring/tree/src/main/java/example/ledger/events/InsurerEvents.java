package example.ledger.events;

import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.stereotype.Component;

/** Messages to insurers over RabbitMQ. */
@Component
public class InsurerEvents {
    private final RabbitTemplate rabbit;

    public InsurerEvents(RabbitTemplate rabbit) {
        this.rabbit = rabbit;
    }

    public void dispensed(String prescription) {
        rabbit.convertAndSend("insurers", "dispensed", prescription);
    }
}
