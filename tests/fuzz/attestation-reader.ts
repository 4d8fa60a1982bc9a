import { mintDevice, mintMaker } from '#server/demo/yubikey-minting.ts'
import { before, days } from '#server/domain/time.ts'
import { attestationReading } from '#server/domain/yubikeys/attestation-reading.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { DER_MUTATIONS } from './der-mutations.ts'
import type { Origin, Reader } from './reader.ts'

/** Attestations of keys in devices, under the root of their maker and under another one. */
export async function attestationReader(): Promise<Reader> {
  const since = before(TEST_NOW, days(1000))
  const maker = await mintMaker('Raíz de llaves de prueba', since)
  const other = await mintMaker('Raíz de otro fabricante', since)
  const device = await mintDevice(maker, { serial: 12_345_678, firmware: [5, 4, 3], form: 3 })
  const statements = [
    device.attest({ slot: '9a' }),
    device.attest({ slot: '9c', pin: 3, touch: 2 }),
  ]
  const read = (files: Uint8Array[], root = maker) =>
    attestationReading(files, [root.der], TEST_NOW)
  const known = statements.map((statement) => JSON.stringify(factsOf(read([statement]))))

  /** Under this root nothing else is proven than what the device stated. */
  const faultOf = (files: Uint8Array[]) => {
    if (isProven(read(files, other))) return 'proven under the root of another maker'
    const reading = read(files)
    const isStated = known.includes(JSON.stringify(factsOf(reading)))
    return isProven(reading) && !isStated
      ? 'proven, and the device stated something else'
      : undefined
  }
  const origins: Origin[] = [
    ...statements.map((bytes, index) => ({
      ...{ name: `statement ${index}`, bytes },
      faultOf: (mutated: Uint8Array) => faultOf([mutated, device.intermediate]),
    })),
    {
      ...{ name: 'intermediate', bytes: device.intermediate },
      faultOf: (mutated) => faultOf([statements[1] ?? mutated, mutated]),
    },
  ]
  return { name: 'attestation', weight: 3, mutations: DER_MUTATIONS, origins }
}

type Reading = ReturnType<typeof attestationReading>

const isProven = (reading: Reading) => reading.kind === 'read' && reading.verdict.kind === 'proven'

const factsOf = (reading: Reading) =>
  reading.kind === 'read' ? { ...reading.facts, key: reading.key.sha256 } : undefined
