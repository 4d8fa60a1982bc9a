import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { findProgram, type Installing, installDebian } from './machine.ts'

/** `path` undefined: the Chromium that Playwright downloaded. */
export type FoundBrowser = { path: string | undefined }

/**
 * The Chromium of this machine, else Playwright's own, else Debian's; prints an installation before it starts.
 *
 * @returns undefined if there is none
 */
export function prepareBrowser({ mayInstall }: Installing): FoundBrowser | undefined {
  const found =
    process.env.CHROMIUM_PATH ?? findProgram('chromium') ?? findProgram('chromium-browser')
  if (found) return { path: found }
  if (existsSync(chromium.executablePath())) return { path: undefined }
  if (!mayInstall) return undefined
  console.log('Downloading the Chromium of Playwright into its cache (--no-install leaves it).')
  const playwright = path.resolve(import.meta.dirname, '../../node_modules/.bin/playwright')
  const own = spawnSync(playwright, ['install', 'chromium'], { stdio: 'inherit', timeout: 300_000 })
  if (own.status === 0) return { path: undefined }
  installDebian(['chromium'])
  const installed = findProgram('chromium')
  return installed ? { path: installed } : undefined
}
