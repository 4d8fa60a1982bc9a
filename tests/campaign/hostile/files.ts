import { readFileSync } from 'node:fs'
import { ALL_FAMILIES } from '#tests/attacks/all-families.ts'
import { pkcs12Owned } from '#tests/e2e/support/pkcs12.ts'
import { DER_MUTATIONS } from '#tests/fuzz/der-mutations.ts'
import { derReaders } from '#tests/fuzz/der-readers.ts'
import { BYTE_MUTATIONS, type Mutation, mutated } from '#tests/fuzz/mutations.ts'
import { pdfReader } from '#tests/fuzz/pdf-reader.ts'
import type { Random } from '#tests/fuzz/random.ts'
import type { Reader } from '#tests/fuzz/reader.ts'
import type { DemoUser } from '#tests/support/processes/demo-server.ts'
import { zipOf } from '#tests/support/zip.ts'

/** Files of one kind, from which hostile ones are made. */
type Kind = { mutations: readonly Mutation[]; origins: readonly Uint8Array[] }

export type FileKind = 'pdf' | 'certificate' | 'cms' | 'key' | 'pkcs12' | 'zip'

/** @returns a mutated file, or one that attacks as it is */
export type HostileFile = (kind: FileKind, random: Random) => Uint8Array

/** Every so many attack files of a family are made: all of them would take minutes. */
const EVERY = 25

export async function hostileFiles(user: DemoUser): Promise<HostileFile> {
  const [pdf, der] = [await pdfReader(), await derReaders()]
  const attacks = await Promise.all(
    ALL_FAMILIES.flatMap(({ attacks }) => attacks)
      .filter((_, at) => at % EVERY === 0)
      .map(({ make }) => make()),
  )
  const bytesOf = ({ origins }: Reader) => origins.map(({ bytes }) => bytes)
  const [cer, key] = [readFileSync(user.cer), readFileSync(user.key)]
  const certificates = der.filter(({ name }) => name === 'certificate').flatMap(bytesOf)
  const kinds: Record<FileKind, Kind> = {
    pdf: { mutations: pdf.mutations, origins: [...bytesOf(pdf), ...attacks] },
    certificate: { mutations: DER_MUTATIONS, origins: [cer, ...certificates] },
    cms: { mutations: DER_MUTATIONS, origins: der.flatMap(bytesOf) },
    key: { mutations: DER_MUTATIONS, origins: [key] },
    pkcs12: { mutations: DER_MUTATIONS, origins: [pkcs12Owned(user)] },
    zip: { mutations: BYTE_MUTATIONS, origins: archivesOf([cer, ...certificates]) },
  }
  return (kind, random) => {
    const { origins, mutations } = kinds[kind]
    const origin = random.pick(origins)
    return random.below(8) === 0 ? origin : mutated(origin, random, random.pick(origins), mutations)
  }
}

/** Archives of certificates, one of them with a file that unpacks to far more than it says. */
function archivesOf(certificates: readonly Uint8Array[]): Uint8Array[] {
  const files = certificates.map((bytes, at) => ({
    name: `${at}.cer`,
    bytes,
    method: at % 2 === 0 ? ('deflated' as const) : ('stored' as const),
  }))
  const zeros = new Uint8Array(8 * 1024 * 1024)
  return [
    zipOf(files),
    zipOf([...files, { name: '../../a.cer', bytes: certificates[0]!, method: 'stored' }]),
    zipOf([{ name: 'ceros.cer', bytes: zeros, method: 'deflated' }]),
    zipOf(Array.from({ length: 500 }, (_, at) => ({ ...files[0]!, name: `${at}/`.repeat(20) }))),
  ]
}
