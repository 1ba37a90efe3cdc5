// SPDX-License-Identifier: BSD-3-Clause
// Firefox as the distribution has it, driven over WebDriver BiDi, its own remote protocol: Playwright brings a browser of
// its own and cannot drive this one.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import WebSocket from "ws";
import type { Driver } from "./keyboard";

const names = [process.env["FIREFOX"] ?? "", "/usr/bin/firefox-esr", "/usr/bin/firefox"];
/** Null where there is none. */
export const firefoxPath: string | null = names.find((name) => name && existsSync(name)) ?? null;

// Nothing asks the network, and downloads go into a folder of their own.
const preferences = (downloads: string): { [name: string]: string | number | boolean } => ({
  "app.update.auto": false,
  "browser.download.dir": downloads,
  "browser.download.folderList": 2,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  // A window without a screen has the focus all the same.
  "focusmanager.testmode": true,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "toolkit.telemetry.enabled": false,
  "ui.prefersReducedMotion": 1,
});

const keys: { [name: string]: string } = {
  Tab: "\uE004",
  Enter: "\uE006",
  Escape: "\uE00C",
  End: "\uE010",
  Home: "\uE011",
  ArrowLeft: "\uE012",
  ArrowUp: "\uE013",
  ArrowRight: "\uE014",
  ArrowDown: "\uE015",
};

interface Answer {
  id?: number;
  type: "success" | "error" | "event";
  result?: unknown;
  error?: string;
  message?: string;
  method?: string;
  params?: { level: string; text: string | null };
}

export class Firefox implements Driver {
  /** Errors and warnings of the pages. */
  problems: string[] = [];
  private waiting = new Map<number, { done: (result: unknown) => void; failed: (why: Error) => void }>();
  private next = 1;
  private context = "";

  private constructor(
    private process: ChildProcess,
    private socket: WebSocket,
    private folder: string,
    readonly downloads: string,
    private viewport: { width: number; height: number },
  ) {
    socket.on("message", (data) => this.hear(JSON.parse(String(data)) as Answer));
  }

  static async start(width: number, height: number): Promise<Firefox> {
    const folder = mkdtempSync(path.join(tmpdir(), "sturm-firefox-"));
    const [profile, downloads] = [path.join(folder, "profile"), path.join(folder, "downloads")];
    for (const made of [profile, downloads]) mkdirSync(made);
    const lines = Object.entries(preferences(downloads)).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
    writeFileSync(path.join(profile, "user.js"), lines.join(""));
    const size = [`--width=${width}`, `--height=${height}`];
    const program = spawn(firefoxPath!, ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile, ...size, "about:blank"], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, HOME: folder, MOZ_HEADLESS_WIDTH: String(width), MOZ_HEADLESS_HEIGHT: String(height) },
    });
    let words = "";
    const address = await new Promise<string>((done, failed) => {
      const late = setTimeout(() => failed(new Error(`Firefox did not say where it listens: ${words}`)), 60_000);
      program.stderr!.on("data", (data) => {
        words += String(data);
        const found = /WebDriver BiDi listening on (ws:\/\/\S+)/.exec(words);
        if (!found) return;
        clearTimeout(late);
        done(found[1]!);
      });
      program.on("exit", () => failed(new Error(`Firefox ended: ${words}`)));
    });
    const socket = new WebSocket(`${address}/session`, { perMessageDeflate: false, maxPayload: 1 << 28 });
    await new Promise((done, failed) => socket.on("open", done).on("error", failed));
    const firefox = new Firefox(program, socket, folder, downloads, { width, height });
    await firefox.command("session.new", { capabilities: {} });
    await firefox.command("session.subscribe", { events: ["log.entryAdded"] });
    return firefox;
  }

  private hear(answer: Answer): void {
    if (answer.type === "event") {
      const { level, text } = answer.params!;
      if (answer.method === "log.entryAdded" && (level === "error" || level === "warn")) this.problems.push(text ?? "");
      return;
    }
    const caller = this.waiting.get(answer.id!);
    this.waiting.delete(answer.id!);
    if (answer.type === "error") caller?.failed(new Error(`${answer.error}: ${answer.message}`));
    else caller?.done(answer.result);
  }

  private command(method: string, params: object): Promise<unknown> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed });
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }

  /** In a window of its own: elsewhere the address bar may have the focus, and a page would not show its own. */
  async open(file: string): Promise<void> {
    const before = this.context;
    this.context = ((await this.command("browsingContext.create", { type: "window" })) as { context: string }).context;
    const { context } = this;
    if (before) await this.command("browsingContext.close", { context: before });
    await this.command("browsingContext.setViewport", { context, viewport: this.viewport });
    await this.command("browsingContext.navigate", { context, url: pathToFileURL(file).href, wait: "complete" });
  }

  /** Runs text, such as a script that the page's policy would not take. */
  async source(text: string): Promise<void> {
    await this.evaluated("script.evaluate", { expression: `${text}\n;"done"` });
  }

  runWith<Given, Result>(code: (given: Given) => Result | Promise<Result>, given: Given): Promise<Result> {
    // Values travel as JSON: undefined becomes null.
    const declaration = `async () => JSON.stringify((await (${code.toString()})(${JSON.stringify(given) ?? "undefined"})) ?? null)`;
    return this.evaluated("script.callFunction", { functionDeclaration: declaration }) as Promise<Result>;
  }

  run<Result>(code: () => Result | Promise<Result>): Promise<Result> {
    return this.runWith(code as (given: null) => Result | Promise<Result>, null);
  }

  private async evaluated(method: string, params: object): Promise<unknown> {
    const answer = (await this.command(method, { ...params, target: { context: this.context }, awaitPromise: true })) as {
      type: string;
      result?: { value?: string };
      exceptionDetails?: { text: string };
    };
    if (answer.type === "exception") throw new Error(answer.exceptionDetails!.text);
    const value = answer.result?.value;
    return method === "script.callFunction" && value !== undefined ? (JSON.parse(value) as unknown) : value;
  }

  async press(key: string): Promise<void> {
    const value = keys[key] ?? key;
    const actions = [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ];
    await this.command("input.performActions", { context: this.context, actions: [{ type: "key", id: "keys", actions }] });
  }

  async darkOrLight(dark: boolean): Promise<void> {
    await this.runWith((wanted) => {
      const press = document.querySelector<HTMLButtonElement>(".theme")!;
      if ((document.documentElement.dataset["theme"] === "dark") !== wanted) press.click();
    }, dark);
  }

  async screenshot(file: string): Promise<void> {
    const { data } = (await this.command("browsingContext.captureScreenshot", { context: this.context })) as { data: string };
    writeFileSync(file, Buffer.from(data, "base64"));
  }

  async close(): Promise<void> {
    const ended = new Promise((done) => this.process.on("exit", done));
    void this.command("browser.close", {}).catch(() => {});
    const late = setTimeout(() => this.process.kill("SIGKILL"), 10_000);
    await ended;
    clearTimeout(late);
    this.socket.terminate();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
