import {
  createAuthority,
  type DemoAuthority,
  type Efirma,
  type EfirmaRequest,
  type KeyPair,
  mintEfirma,
  newKeyPair,
} from '#server/demo/certification-authority.ts'
import { parseInstant } from '#server/domain/time.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'

/** Inside the validity of everything that is minted here unless a test says otherwise. */
export const TEST_NOW = parseInstant('2026-11-20T15:00:00Z')
export const TEST_PASSWORD = 'contraseña-de-prueba-1'

let authority: Promise<DemoAuthority> | undefined
let keyPair: Promise<KeyPair> | undefined
let count = 0

/** One authority for the whole process: its keys take a moment to make. */
export function testAuthority(): Promise<DemoAuthority> {
  authority ??= createAuthority({ now: parseInstant('2024-01-02T00:00:00Z') })
  return authority
}

/** Its root as an anchor. */
export async function testAnchor(): Promise<TrustAnchor> {
  const { root } = await testAuthority()
  return {
    certificate: root,
    label: 'Autoridad de prueba',
    forTesting: true,
    revocation: 'when-available',
  }
}

/** The default key of test certificates. */
export function testKeyPair(): Promise<KeyPair> {
  keyPair ??= newKeyPair()
  return keyPair
}

/**
 * A new e.firma of Ana María Muñoz López, or of the given holder. All share one key unless a test passes another,
 * so that a test generates at most one key.
 */
export async function testEfirma(request: Partial<EfirmaRequest> = {}): Promise<Efirma> {
  count += 1
  return mintEfirma(await testAuthority(), {
    kind: 'efirma-natural',
    name: 'ANA MARÍA MUÑOZ LÓPEZ',
    rfc: 'MULA800101AB1',
    curp: 'MULA800101MDFXPN09',
    notBefore: parseInstant('2024-06-01T00:00:00Z'),
    password: TEST_PASSWORD,
    serial: `300010000005${String(count).padStart(8, '0')}`,
    keyPair: await testKeyPair(),
    ...request,
  })
}
