import { firebaseConfig } from "./firebase-config.js";

// Messages to phones: "your appointment is confirmed".
navigator.serviceWorker.register("/sw.js").then(() => console.log(firebaseConfig.projectId));
