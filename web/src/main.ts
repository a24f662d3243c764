import { mount } from "svelte";
import App from "./App.svelte";
import { startConnection } from "./lib/app/connection.svelte.js";
import { startTheme } from "./lib/app/theme.svelte.js";
import "./lib/design/tokens.css";
import "./lib/design/base.css";
import { startLocale } from "./lib/i18n/i18n.svelte.js";
import { startRouter } from "./lib/router.svelte.js";

startLocale();
startTheme();
startConnection();
startRouter();
mount(App, { target: document.getElementById("app")! });

if ("serviceWorker" in navigator && import.meta.env.PROD) void navigator.serviceWorker.register("/sw.js").catch(() => undefined);
