// SPDX-License-Identifier: BSD-3-Clause
import { defineConfig } from "@playwright/test";

const quiet = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results/runs",
  workers: 1,
  timeout: 180_000,
  reporter: [["list"]],
  use: {
    viewport: { width: 1280, height: 860 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [...quiet, "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    },
  },
  projects: [
    { name: "samples", testMatch: "samples.setup.ts" },
    { name: "page", testMatch: "*.spec.ts", testIgnore: "firefox.spec.ts", dependencies: ["samples"] },
    { name: "firefox", testMatch: "firefox.spec.ts", dependencies: ["samples"] },
  ],
});
