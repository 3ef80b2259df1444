import { spawn } from "node:child_process";

spawn("bash", ["tools/fetch.sh"], { detached: true, stdio: "ignore" }).unref();
