import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { createConstanciaProvider } from '#server/demo/constancia-provider.ts'
import { type DemoFiles, makeDemoFiles } from '#server/demo/demo-files.ts'
import { ID_POLICY_DEMO_CONSTANCIA } from '#server/domain/asn1/object-identifiers.ts'
import { instantOf } from '#server/domain/time.ts'
import { DEMO_CONSTANCIA_ISSUER } from '#server/domain/timestamp/constancia-issuer.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { judgeConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import { judge } from '#tests/support/judges.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-demo-constancias-'))
const inFolder = (name: string) => path.join(folder, name)
const now = instantOf(Date.now())
let files: DemoFiles

beforeAll(async () => {
  files = await makeDemoFiles(folder, now)
})
afterAll(() => rmSync(folder, { recursive: true }))

function requestFor(text: string): Uint8Array {
  writeFileSync(inFolder('data'), text)
  const out = inFolder('query.tsq')
  judge('openssl')('ts', '-query', '-data', inFolder('data'), '-sha256', '-cert', '-out', out)
  return new Uint8Array(readFileSync(out))
}
const digestOf = (text: string) => createHash('sha256').update(text).digest()

const policy = (isDemo = true) =>
  openTrustStore({
    folders: [],
    ...(isDemo && {
      constancias: {
        folder: inFolder('constancias'),
        label: 'Constancias de prueba',
        forTesting: true,
        revocation: 'when-available' as const,
        issuers: [DEMO_CONSTANCIA_ISSUER],
      },
    }),
    decisions: { version: async () => '', list: async () => [] },
    isDemo,
  }).policy(now, INSTALLATION)

test('whole responses and bare tokens by turns, and the same one for the same request', async () => {
  const provider = createConstanciaProvider(files.services.constancias)
  const request = requestFor('Escritura uno')
  const whole = provider.answer(request, now)
  expect(provider.answer(request, instantOf(now + 5000))).toEqual(whole)
  const bare = provider.answer(requestFor('Escritura uno'), now)
  expect(provider.count()).toBe(2)
  const tokens = [whole, bare].map(readTimeStampResponse)
  expect(tokens.map((one) => one.kind === 'granted' && one.tokenBytes.length)).toEqual([
    expect.any(Number),
    bare.length,
  ])
  expect(whole.length).toBeGreaterThan(bare.length)
  for (const bytes of [whole, bare])
    expect(judgeConstancia(bytes, digestOf('Escritura uno'), await policy())).toMatchObject({
      kind: 'constancia',
      verdict: 'VALID',
      forTesting: true,
      policy: ID_POLICY_DEMO_CONSTANCIA,
      authority: 'Prestador de constancias de prueba',
    })
})

test('demo constancia: rejected outside the demo and for another file', async () => {
  const provider = createConstanciaProvider(files.services.constancias)
  const bytes = provider.answer(requestFor('Escritura dos'), now)
  expect(judgeConstancia(bytes, digestOf('Escritura dos'), await policy(false)).verdict).toBe(
    'INDETERMINATE',
  )
  expect(judgeConstancia(bytes, digestOf('otra'), await policy()).verdict).toBe('INVALID')
})

test('openssl verifies it as a signature, and not as a timestamp', () => {
  const provider = createConstanciaProvider(files.services.constancias)
  const response = readTimeStampResponse(provider.answer(requestFor('Escritura tres'), now))
  if (response.kind !== 'granted') throw new Error('refused')
  const [token, root, out] = [inFolder('token'), inFolder('root.pem'), inFolder('out')]
  writeFileSync(token, response.tokenBytes)
  const openssl = judge('openssl')
  const rootFile = inFolder('constancias/root.cer')
  writeFileSync(root, openssl('x509', '-inform', 'DER', '-in', rootFile).output)
  const chain = ['-CAfile', root]
  const asSignature = ['-inform', 'DER', '-in', token, '-purpose', 'any', ...chain, '-out', out]
  expect(openssl('cms', '-verify', ...asSignature)).toMatchObject({ status: 0 })
  const asStamp = ['-data', inFolder('data'), '-in', token, '-token_in', ...chain]
  expect(openssl('ts', '-verify', ...asStamp)).toMatchObject({ status: 1 })
})

test('constancia provider: a malformed request is refused', () => {
  const provider = createConstanciaProvider(files.services.constancias)
  const answer = provider.answer(new Uint8Array([9]), now)
  expect(readTimeStampResponse(answer)).toEqual({ kind: 'refused', status: 2 })
})
