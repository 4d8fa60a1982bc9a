import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished, vi } from 'vitest'
import { makeSoftToken, type SoftToken, type SoftTokenRequest } from './soft-tokens.ts'

/** A token for the running test, whose processes find it. */
export function aSoftToken(request: SoftTokenRequest = {}): SoftToken {
  const home = mkdtempSync(path.join(tmpdir(), 'rubrica-token-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const token = makeSoftToken(home, request)
  vi.stubEnv('SOFTHSM2_CONF', token.configuration)
  onTestFinished(() => void vi.unstubAllEnvs())
  return token
}
