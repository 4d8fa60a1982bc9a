import { defineConfig, devices } from '@playwright/test'

/** A given Chromium saves the download; its sandbox does not work as root. */
const executablePath = process.env.CHROMIUM_PATH
const launchOptions = {
  // Without a locale Chromium names a download with an accent just "download".
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
  ...(executablePath && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    // Otherwise Chromium emulates a graphics card to put a page together.
    '--disable-gpu-compositing',
    '--disable-software-rasterizer',
    // Each page is open for a moment only: a process for its pictures, and code made fast, cost a seventh of the time.
    '--in-process-gpu',
    '--js-flags=--no-opt --no-maglev',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 } }

/**
 * Runs the end-to-end tests on the production build, each against its own demo office. Tests with forms run
 * in both browsers; `.scripts` and `.no-scripts` need one of them, `.http` none.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/pages',
  globalSetup: './tests/e2e/support/start-demo.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A flaky test fails the run. Traces cost a third of the time, so `npm test` repeats only failed tests to
  // record theirs.
  retries: 0,
  // Generous for a busy machine; expectations stay the same.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    launchOptions,
    // A click waits for the page that it opens.
    actionTimeout: 30_000,
    trace: 'off',
  },
  projects: [
    { name: 'with-scripts', use: desktop, testIgnore: /\.(no-scripts|http)\.spec\.ts$/ },
    {
      name: 'without-scripts',
      use: { ...desktop, javaScriptEnabled: false },
      testIgnore: /\.(scripts|http)\.spec\.ts$/,
    },
    { name: 'without-browser', testMatch: /\.http\.spec\.ts$/ },
    {
      name: 'security',
      testDir: 'tests/security',
      testMatch: /\.spec\.ts$/,
      use: desktop,
    },
  ],
})
