import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findProgram, type Installing, installDebian } from './machine.ts'

/** `path` undefined: the Chromium that Playwright downloaded. */
export type FoundBrowser = { path: string | undefined }

/** Chromium without windows, which costs half the time of the other; it has a package of its own. */
const SHELL = 'chromium-headless-shell'
const OTHERS = ['chromium', 'chromium-browser']

/**
 * The Chromium of this machine, preferably the headless shell, else one that is installed; prints an installation
 * before it starts.
 *
 * @returns undefined if there is none
 */
export function prepareBrowser({ mayInstall }: Installing): FoundBrowser | undefined {
  const given = process.env.CHROMIUM_PATH ?? findProgram(SHELL)
  if (given) return { path: given }
  if (existsSync(chromium.executablePath())) return { path: undefined }
  if (mayInstall) installDebian([SHELL])
  const found = [SHELL, ...OTHERS].map((name) => findProgram(name)).find(Boolean)
  if (found) return { path: found }
  return mayInstall && installPlaywrights() ? { path: undefined } : undefined
}

function installPlaywrights(): boolean {
  console.log('Downloading the Chromium of Playwright into its cache (--no-install leaves it).')
  const playwright = path.resolve(import.meta.dirname, '../../node_modules/.bin/playwright')
  const options = { stdio: 'inherit', timeout: 300_000 } as const
  return spawnSync(playwright, ['install', '--only-shell', 'chromium'], options).status === 0
}
