import { ALL_FAMILIES } from '#tests/attacks/all-families.ts'
import { type FileForm, type Hostile, hostileFile } from '#tests/e2e/load/hostile-requests.ts'
import { derReaders } from '#tests/fuzz/der-readers.ts'
import { mutated } from '#tests/fuzz/mutations.ts'
import { pdfReader } from '#tests/fuzz/pdf-reader.ts'
import { randomFrom } from '#tests/fuzz/random.ts'
import type { Reader } from '#tests/fuzz/reader.ts'
import { certificateMesh } from '#tests/support/authorities/certificate-mesh.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { pkcs12Of } from '#tests/support/keys/pkcs12-files.ts'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { zipOf } from '#tests/support/zip.ts'

const SEED = 13
/** Mutated files of each reader: the campaigns try more. */
const OF_A_READER = 6

const PUBLIC: FileForm = { as: 'stranger', path: '/verify/document' }
const REPORT: FileForm = { as: 'stranger', path: '/verify/document/report.json' }
const UPLOAD: FileForm = {
  ...{ as: 'member', path: '/dashboard/documents/new' },
  more: [
    { name: 'title', content: 'Poder' },
    { name: 'kind', content: 'act' },
  ],
}
const AUTHORITIES: FileForm = { as: 'member', path: '/dashboard/settings/authorities/new' }

type Signer = 'member' | 'guest'

/** As the full office names its administrator and its external signer. */
const SIGNERS = {
  member: { rfc: 'MULA800101AB1', name: 'XIMENA CAÑEDO ÍÑIGUEZ' },
  guest: { rfc: 'NUPB801201QX7', name: 'BENITO NÚÑEZ' },
}

/** A signature on the server of a document that waits: everything is right but the file in this field. */
async function signing({ awaited }: FullOffice, as: Signer, field: string): Promise<FileForm> {
  const { cer, key } = await testEfirma(SIGNERS[as])
  const own = { certificate: cer, privateKey: key, pkcs12: new Uint8Array() }
  const isPacked = field === 'pkcs12'
  return {
    ...{ as, field },
    path:
      as === 'guest'
        ? `/sign/documents/${awaited.id}/without-scripts`
        : `/dashboard/documents/${awaited.id}/sign/without-scripts`,
    more: [
      { name: 'version', content: '1' },
      { name: 'password', content: TEST_PASSWORD },
      { name: 'consent', content: 'yes' },
      ...Object.entries(own)
        .filter(([name]) => name !== field)
        .map(([name, bytes]) => ({
          ...{ name, fileName: isPacked ? '' : `firma.${name}` },
          content: isPacked ? new Uint8Array() : bytes,
        })),
    ],
  }
}

/** Every attack on signed files, mutated ones, and files full of certificates and signatures. */
export async function hostilePdfs(): Promise<Hostile[]> {
  const attacks = await Promise.all(
    ALL_FAMILIES.flatMap(({ name, attacks: all }) =>
      // The first of each family: the others differ in what they show, not in their size.
      all.slice(0, 3).map(async (attack) => ({
        ...{ name: `PDF ${name}: ${attack.name}`, bytes: await attack.make() },
      })),
    ),
  )
  const reader = await pdfReader()
  const mutants = mutantsOf({ ...reader, weight: 5 })
  const meshes = await Promise.all(
    [
      { people: 20, authorities: 150, bits: 8192, exponentBits: 32 },
      { people: 1, authorities: 400, bits: 2048, exponentBits: 32 },
    ].map(async (mesh) => ({ name: `PDF mesh of ${mesh.authorities}`, bytes: await meshed(mesh) })),
  )
  const files = [...attacks, ...mutants, ...meshes]
  return [
    ...files.map(({ name, bytes }) => hostileFile(name, REPORT, bytes)),
    ...files
      .filter((_, at) => at % 4 === 0)
      .map(({ name, bytes }) => hostileFile(name, PUBLIC, bytes)),
    ...files
      .filter((_, at) => at % 8 === 0)
      .map(({ name, bytes }) => hostileFile(name, UPLOAD, bytes)),
  ]
}

async function meshed(mesh: Parameters<typeof certificateMesh>[0]): Promise<Uint8Array> {
  const { people, authorities } = await certificateMesh(mesh)
  const certificates = [...people, ...authorities].map(({ der }) => der)
  const room = 20_000 + certificates.reduce((sum, { length }) => sum + length, 0)
  return await handSigned({ seal: sealOf(await testEfirma(), certificates), room })
}

/** Each kind of DER where the system takes such files, and nested, long and mutated ones. */
export async function hostileDer(office: FullOffice): Promise<Hostile[]> {
  const readers = await derReaders()
  const files = [...readers.flatMap(mutantsOf), ...(await hugeDer())]
  const pdf = {
    name: 'file',
    fileName: 'a.pdf',
    content: await handSigned({ seal: sealOf(await testEfirma()) }),
  }
  return [
    ...files.map(({ name, bytes }) => hostileFile(`${name} as authority`, AUTHORITIES, bytes)),
    ...files.map(({ name, bytes }) =>
      hostileFile(`${name} as constancia`, { ...REPORT, field: 'constancia', more: [pdf] }, bytes),
    ),
    ...(await asKeys(office, files)),
  ]
}

/** The fields that each of them can send such a file in. */
const KEY_FIELDS = { member: ['pkcs12', 'certificate', 'privateKey'], guest: ['pkcs12'] } as const

type NamedFile = { name: string; bytes: Uint8Array }

async function asKeys(office: FullOffice, files: readonly NamedFile[]): Promise<Hostile[]> {
  const requests: Hostile[] = []
  for (const as of ['member', 'guest'] as const)
    for (const field of KEY_FIELDS[as]) {
      const form = await signing(office, as, field)
      requests.push(
        ...files.map(({ name, bytes }) => hostileFile(`${name} as ${field}`, form, bytes)),
      )
    }
  return requests
}

/** Files that only their own readers take. */
export async function hostileKeys(office: FullOffice): Promise<Hostile[]> {
  const efirma = await testEfirma(SIGNERS.member)
  const slow = pkcs12Of([efirma], ['-iter', '200000', '-maciter'])
  const old = pkcs12Of(
    [efirma],
    ['-legacy', '-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-RC2-40'],
  )
  const { people } = await certificateMesh({
    people: 60,
    authorities: 1,
    bits: 2048,
    exponentBits: 32,
  })
  const full = pkcs12Of([efirma, ...people.map((certificate) => ({ ...efirma, certificate }))])
  const files = { 'many rounds': slow, 'old ciphers': old, 'many certificates': full }
  const named = Object.entries(files).map(([name, bytes]) => ({
    name: `PKCS#12 of ${name}`,
    bytes,
  }))
  return [
    ...named.map(({ name, bytes }) => hostileFile(name, { ...AUTHORITIES }, bytes)),
    ...(await asKeys(office, named)),
  ]
}

/** Lists of authorities: an archive that grows, one of many files, and PEM without end. */
export async function hostileBundles(): Promise<Hostile[]> {
  const { certificate } = await testEfirma()
  const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(certificate.der).toString('base64')}\n-----END CERTIFICATE-----\n`
  const zeros = new Uint8Array(8 * 1024 * 1024)
  const bundles: Record<string, Uint8Array> = {
    'archive of zeros': zipOf([{ name: 'a.cer', bytes: zeros, method: 'deflated' }]),
    'archive of many': zipOf(
      Array.from({ length: 2000 }, (_, at) => ({
        ...{ name: `${at}.cer`, bytes: certificate.der, method: 'deflated' as const },
      })),
    ),
    'archive of nothing': zipOf(
      Array.from({ length: 20_000 }, (_, at) => ({
        ...{ name: `${at}`, bytes: new Uint8Array(), method: 'stored' as const },
      })),
    ),
    'PEM of many': Buffer.from(pem.repeat(1000)),
    'PEM that only begins': Buffer.from(BEGIN.repeat(60_000)),
    'PEM that begins often and ends once': Buffer.from(`${BEGIN.repeat(30_000)}${END}`),
    'PEM of one line': Buffer.from(`-----BEGIN CERTIFICATE-----\n${'A'.repeat(1_900_000)}`),
  }
  return Object.entries(bundles).map(([name, bytes]) => hostileFile(name, AUTHORITIES, bytes))
}

const BEGIN = '-----BEGIN CERTIFICATE-----\n'
const END = '-----END CERTIFICATE-----\n'

function mutantsOf({ name, origins, mutations, weight }: Reader) {
  return Array.from({ length: OF_A_READER * weight }, (_, number) => {
    const random = randomFrom(SEED, number)
    const [origin, other] = [random.pick(origins), random.pick(origins)]
    const bytes = mutated(origin.bytes, random, other.bytes, mutations)
    return { name: `${name} ${origin.name} ${number}`, bytes }
  })
}

/** DER as large as its reader takes, of one kind of element. */
async function hugeDer(): Promise<{ name: string; bytes: Uint8Array }[]> {
  const element = (tag: number, content: Buffer) => {
    const length = Buffer.alloc(5)
    length.writeUInt8(0x84, 0)
    length.writeUInt32BE(content.length, 1)
    return Buffer.concat([Buffer.from([tag]), length, content])
  }
  const nested = (depth: number) => {
    let bytes = Buffer.alloc(0)
    for (let level = 0; level < depth; level += 1) bytes = element(0x30, bytes)
    return bytes
  }
  const endless = Buffer.concat([
    Buffer.alloc(30_000, Buffer.from([0x30, 0x80])),
    Buffer.alloc(4000),
  ])
  return [
    {
      name: 'DER of empty elements',
      bytes: element(0x30, Buffer.alloc(60_000, Buffer.from([5, 0]))),
    },
    { name: 'DER in DER', bytes: nested(9000) },
    {
      name: 'PEM that begins often and ends once',
      bytes: Buffer.from(`${BEGIN.repeat(2000)}${END}`),
    },
    { name: 'BER without lengths', bytes: endless },
    {
      name: 'DER of one long number',
      bytes: element(0x30, element(0x02, Buffer.alloc(60_000, 0x7f))),
    },
    {
      name: 'DER of one long name',
      bytes: element(0x30, element(0x06, Buffer.alloc(60_000, 0x81))),
    },
  ]
}
