import type { Person } from '#server/domain/identity/actor.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { YubikeyId } from '#server/domain/ids.ts'
import { before, days } from '#server/domain/time.ts'
import { addMakerCertificates } from '#server/features/yubikeys/add-maker-certificates.ts'
import { attachAttestation } from '#server/features/yubikeys/attach-attestation.ts'
import { handOverYubikey } from '#server/features/yubikeys/hand-over-yubikey.ts'
import { listYubikeys } from '#server/features/yubikeys/list-yubikeys.ts'
import { RegisterYubikey, registerYubikey } from '#server/features/yubikeys/register-yubikey.ts'
import { retireYubikey } from '#server/features/yubikeys/retire-yubikey.ts'
import type { System } from '#server/system.ts'
import { actorFor, userFor } from './demo-actor.ts'
import { type DemoMaker, mintDevice, mintMaker } from './yubikey-minting.ts'

type SampleKey = {
  serial: string
  model: string
  once: string
  firmware: readonly [number, number, number]
  form: number
  /** The slots about which it attests, with PIN and touch policy. */
  attests: readonly { slot: string; pin: number; touch: number }[]
  /** Slug of its holder. */
  holder?: string
  retired?: string
}

const SAMPLES: readonly SampleKey[] = [
  {
    ...{ serial: '18402671', model: 'YubiKey 5C NFC', firmware: [5, 7, 1], form: 3 },
    once: '5f0c1a52-9a3c-4a56-9d0c-0d8e7a3a1c01',
    attests: [
      { slot: '9a', pin: 2, touch: 1 },
      { slot: '9c', pin: 3, touch: 3 },
    ],
    holder: 'notaria-titular',
  },
  {
    ...{ serial: '18402688', model: 'YubiKey 5 NFC', firmware: [5, 4, 3], form: 1 },
    ...{ once: '5f0c1a52-9a3c-4a56-9d0c-0d8e7a3a1c02', attests: [], holder: 'abogada' },
  },
  {
    ...{ serial: '18402702', model: 'YubiKey 5C Nano', firmware: [5, 7, 1], form: 4 },
    once: '5f0c1a52-9a3c-4a56-9d0c-0d8e7a3a1c03',
    attests: [{ slot: '9c', pin: 3, touch: 2 }],
  },
  {
    ...{ serial: '6130452', model: 'YubiKey 4', firmware: [4, 3, 4], form: 1 },
    ...{ once: '5f0c1a52-9a3c-4a56-9d0c-0d8e7a3a1c04', attests: [] },
    retired: 'Su firmware crea claves RSA débiles.',
  },
]

/**
 * The physical keys of the demo office, and the root of a maker that stands behind what they attest, through the use cases that
 * the pages use. A key that an earlier start did not get to is made anew, with another maker.
 */
export async function seedYubikeys(system: System, users: readonly User[]): Promise<void> {
  const administrator = actorFor(system, users, 'administrador')
  const { yubikeys } = await listYubikeys(system, administrator)
  const missing = SAMPLES.filter(({ serial }) => !yubikeys.some((one) => one.serial === serial))
  if (missing.length === 0) return
  const notBefore = before(system.clock.now(), days(3 * 365))
  const maker = await mintMaker('Raíz de atestación de demostración', notBefore)
  await addMakerCertificates(system, administrator, {
    fileName: 'raiz-de-demostracion.der',
    file: maker.der,
    reason: 'La fabricó la demostración: no prueba nada.',
  })
  for (const sample of missing) await seed(system, administrator, users, maker, sample)
}

async function seed(
  system: System,
  administrator: Person,
  users: readonly User[],
  maker: DemoMaker,
  { serial, firmware, form, attests, holder, retired, ...sample }: SampleKey,
): Promise<void> {
  const device = await mintDevice(maker, { serial: Number(serial), firmware, form })
  const [first, ...others] = attests.map((about) => [device.attest(about), device.intermediate])
  const typed = { serial, model: sample.model, once: sample.once, formFactor: null }
  const registered = await registerYubikey(system, administrator, {
    ...RegisterYubikey.parse({ ...typed, firmware: firmware.join('.') }),
    attestation: first ?? [],
  })
  if (registered.kind !== 'registered') throw new Error(`${serial} is ${registered.kind}`)
  const seen = (version: number): { yubikeyId: YubikeyId; seenVersion: number } => ({
    ...{ yubikeyId: registered.id, seenVersion: version },
  })
  let version = 1
  for (const attestation of others) {
    await attachAttestation(system, administrator, { ...seen(version), attestation })
    version += 1
  }
  if (holder) {
    const holderId = userFor(users, holder).id
    await handOverYubikey(system, administrator, { ...seen(version), holderId })
  }
  if (retired)
    await retireYubikey(system, administrator, { ...seen(version), reason: Reason.parse(retired) })
}
