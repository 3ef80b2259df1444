"""rainlog-collect: listens to the broker and writes ticks."""
import argparse
import configparser
import time

import paho.mqtt.client as mqtt

from rainlog import store


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="/etc/rainlog.ini")
    args = parser.parse_args()
    config = configparser.ConfigParser()
    config.read(args.config)
    db = store.connect(config["store"]["path"])

    def on_message(client, userdata, message):
        store.add(db, message.topic.split("/")[1], int(time.time()))

    client = mqtt.Client()
    client.username_pw_set(config["broker"]["user"], config["broker"]["password"])
    client.on_message = on_message
    client.connect(config["broker"]["host"], config["broker"].getint("port"))
    client.subscribe("gauges/+/tick")
    client.loop_forever()


if __name__ == "__main__":
    main()
