import { defineConfig, devices } from '@playwright/test'

/** A found Chromium saves the download; machines as root cannot use its sandbox. */
const executablePath = process.env.CHROMIUM_PATH
const launchOptions = {
  // On a machine without a language Chromium calls a download with an accent in its name just "download".
  env: { ...process.env, LC_ALL: 'C.UTF-8' },
  ...(executablePath && { executablePath }),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
const desktop = { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 } }

/**
 * Every story on the production build, against a demo office of its own. Stories with a form run in both
 * browsers; `.scripts` and `.no-scripts` need one of them, `.http` needs none.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results/pages',
  globalSetup: './tests/e2e/support/start-demo.ts',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  // A flaky test fails the run. A trace of each test costs a third of all the work: `npm test` runs those that failed
  // once more to record theirs.
  retries: 0,
  // A busy machine may take its time; what is expected stays the same.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'es-MX',
    timezoneId: 'America/Mexico_City',
    launchOptions,
    // A click waits until the page to which it leads has come.
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
