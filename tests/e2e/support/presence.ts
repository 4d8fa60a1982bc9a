import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from '@playwright/test'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'
import { expect, inMain, messageOn, signIn } from './fixtures.ts'

/** Turns on, through the settings page, that signers must prove presence. */
export async function requirePresence(page: Page, administrator: DemoUser, hasScripts: boolean) {
  const { field, button, link } = inMain(page)
  await page.goto('/login')
  await signIn(page, administrator)
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/dashboard/settings')
  await link('Cambiar la presencia antes de firmar').click()
  await field('Presencia antes de firmar').selectOption('required')
  await button('Guardar').click()
  await expect(page).toHaveURL('/dashboard/settings')
  await expect(messageOn(page, hasScripts)).toHaveText('La política de presencia se guardó.')
  await expect(inMain(page).main).toContainText('Se pide una llave de seguridad o un código')
  await page.context().clearCookies()
}

/** The presence shown on the document page, and the file of its proofs. */
export async function evidenceOn(page: Page, id: string) {
  const response = await page.request.get(`/dashboard/documents/${id}/presence.json`)
  expect(response.status()).toBe(200)
  expect(response.headers()['content-disposition']).toContain('presencia.json')
  return await response.text()
}

/** How `rubrica verify-intent` ends for a file of evidence: 0 when all of it holds. */
export function verifiedIntent(evidence: string, origin: string): number | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-presence-'))
  const file = path.join(folder, 'presencia.json')
  try {
    writeFileSync(file, evidence)
    const command = ['server/cli/rubrica.ts', 'verify-intent', '--origin', origin, file]
    const options = ['--disable-warning=ExperimentalWarning', ...command]
    return spawnSync(process.execPath, options).status
  } finally {
    rmSync(folder, { recursive: true })
  }
}
