import { expect, test } from 'vitest'
import { mintDevice, mintMaker } from '#server/demo/yubikey-minting.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { Reason } from '#server/domain/identity/factor-removal.ts'
import { before, days } from '#server/domain/time.ts'
import { addMakerCertificates } from '#server/features/yubikeys/add-maker-certificates.ts'
import { attachAttestation } from '#server/features/yubikeys/attach-attestation.ts'
import { listMakerCertificates } from '#server/features/yubikeys/list-maker-certificates.ts'
import { listYubikeys } from '#server/features/yubikeys/list-yubikeys.ts'
import { readYubikey } from '#server/features/yubikeys/read-yubikey.ts'
import { registerYubikey } from '#server/features/yubikeys/register-yubikey.ts'
import { removeMakerCertificate } from '#server/features/yubikeys/remove-maker-certificate.ts'
import { asPerson, MORNING, storedOffice, storedUser } from '#tests/support/builders.ts'
import { currentYubikey, registeredYubikey, seen, typedKey } from '#tests/support/keys/yubikeys.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function aStaff({ db }: TestSystem) {
  const office = await storedOffice(db)
  const admin = await storedUser(db, office, ['ADMIN'])
  const clerk = await storedUser(db, office, ['CLERK'], {
    firstName: 'Íñigo',
    lastName: 'Peña Ruiz',
  })
  return { office, admin, clerk, administrator: asPerson(admin) }
}

const REASON = Reason.parse('Se rompió el conector.')

onEachSystem('attestations of keys', (current) => {
  test('registration from an attestation: what is left out comes from there', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const { files } = await anAttestation()
    const outcome = await registerYubikey(system, administrator, typedKey(null, files))
    if (outcome.kind !== 'registered') throw new Error(outcome.kind)
    const detail = await readYubikey(system, administrator, { yubikeyId: outcome.id })
    expect(detail.yubikey).toMatchObject({
      ...{ serial: '31415926', firmware: '5.7.1', formFactor: 'usb-c-nano' },
    })
    expect(detail).toMatchObject({
      hasMakerRoot: false,
      attestations: [{ verdict: { kind: 'unchecked', reason: 'no-maker-root' } }],
    })
  })

  test('registration with another serial number than the attested one: the conflict is told, nothing is stored', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const { files } = await anAttestation()
    const typed = { ...typedKey('31415927', files), firmware: '5.4.3' }
    expect(await registerYubikey(system, administrator, typed)).toEqual({
      kind: 'conflict',
      conflicts: [
        { field: 'serial', typed: '31415927', attested: '31415926' },
        { field: 'firmware', typed: '5.4.3', attested: '5.7.1' },
      ],
    })
    expect((await listYubikeys(system, administrator)).yubikeys).toEqual([])
  })

  test('attestation of another device: refused; of this one: stored, with its event', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const { files } = await anAttestation()
    const other = await registeredYubikey(system, administrator, '1')
    expect(
      await attachAttestation(system, administrator, { ...seen(other), attestation: files }),
    ).toMatchObject({ kind: 'conflict' })
    const yubikey = await registeredYubikey(system, administrator, '31415926')
    const attach = () =>
      attachAttestation(system, administrator, { ...seen(yubikey), attestation: files })
    expect([await attach(), await attach()]).toEqual([{ kind: 'attached' }, { kind: 'attached' }])
    expect(await currentYubikey(system, yubikey.id)).toMatchObject({
      ...{ version: 2, firmware: '5.7.1', formFactor: 'usb-c-nano' },
    })
    expect((await system.log()).at(-1)).toMatchObject({
      action: 'yubikey.attested',
      details: { slot: '9c', verdict: 'unchecked' },
    })
  })

  test('root of the maker added and removed: attestations are proven, and then are not', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const { files, maker } = await anAttestation()
    const { id } = await registeredYubikey(system, administrator, '31415926', files)
    const add = () =>
      addMakerCertificates(inDemo(system), administrator, {
        ...{ fileName: 'raiz.der', file: maker.der, reason: REASON },
      })
    const verdict = async () => {
      const { attestations } = await readYubikey(system, administrator, { yubikeyId: id })
      return attestations[0]?.verdict.kind
    }
    expect(await add()).toEqual({ kind: 'added', count: 1 })
    expect(await add()).toMatchObject({ kind: 'known' })
    expect(await verdict()).toBe('proven')
    const removal = { sha256: sha256(maker.der), reason: REASON }
    await removeMakerCertificate(system, administrator, removal)
    await removeMakerCertificate(system, administrator, removal)
    expect(await verdict()).toBe('unchecked')
    expect(await listMakerCertificates(system, administrator)).toMatchObject([
      { role: 'root', state: 'removed', reason: REASON },
    ])
    const actions = (await system.log()).map(({ action }) => action)
    expect(actions.filter((action) => action.startsWith('maker-'))).toEqual([
      'maker-certificate.added',
      'maker-certificate.removed',
    ])
  })

  test('certificate of a device as a root: refused; a demonstration root in a real office, too', async () => {
    const system = current()
    const { administrator } = await aStaff(system)
    const { files, maker } = await anAttestation()
    const add = (file: Uint8Array) =>
      addMakerCertificates(system, administrator, { fileName: 'x.der', file, reason: REASON })
    expect(await add(files[0] ?? new Uint8Array())).toEqual({ kind: 'no-authority' })
    expect(await add(Buffer.from('hola'))).toEqual({ kind: 'nothing-read' })
    expect(await add(maker.der)).toEqual({ kind: 'for-testing' })
  })
})

/** The same in a demo, where an authority for demonstrations may count. */
const inDemo = (system: TestSystem) => ({
  ...system,
  settings: { ...system.settings, isDemo: true },
})

let minted: ReturnType<typeof mintAll> | undefined

/** The attestation of slot 9c of a device, and its maker. */
const anAttestation = () => (minted ??= mintAll())

async function mintAll() {
  const maker = await mintMaker('Raíz de llaves de prueba', before(MORNING, days(1000)))
  const device = await mintDevice(maker, { serial: 31_415_926, firmware: [5, 7, 1], form: 4 })
  return { maker, files: [device.attest({}), device.intermediate] }
}
