import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { acroFormOf } from '#server/domain/pdf/form-fields.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { differenceOf } from './difference.ts'
import { type Excuse, type ExcusedField, excusesFor } from './excuses.ts'
import type { Look, Reader, Word } from './look.ts'
import { GHOSTSCRIPT } from './readers/ghostscript.ts'
import { MUPDF } from './readers/mupdf.ts'
import { PDF_JS } from './readers/pdf-js.ts'
import { PDFIUM } from './readers/pdfium.ts'
import { POPPLER } from './readers/poppler.ts'
import { inFolder } from './readers/programs.ts'
import { faultsOfValues, shownValues } from './shown-values.ts'

/*
 * The differential oracle: a file that the verifier calls VALID must look in every reader as its signed part does,
 * but for what the report lists; and a field that it lists as filled must show the value that it lists.
 */

export const READERS: readonly Reader[] = [PDF_JS, PDFIUM, POPPLER, MUPDF, GHOSTSCRIPT]

/** A file that is called VALID and has something behind a signature. */
export type Doubtful = {
  name: string
  file: Uint8Array
  /** For each signature that something was added behind: where it ends, and what its report lists. */
  signed: readonly SignedPart[]
}

export type SignedPart = {
  end: number
  listed: ReadonlySet<number>
  /** The names of the fields that its report lists as filled, and their values; none where readers draw them. */
  filled: ReadonlyMap<string, string>
  /** The pages on which its report lists notes: there letters must stay legible. */
  noted: ReadonlySet<number>
}

export type Drawn = {
  name: string
  file: Uint8Array
  /** `Poppler: page 1: …`; none if every reader shows the same. */
  differences: readonly string[]
  /** Readers that open neither the signed part nor the whole. */
  unread: readonly string[]
}

/**
 * The verifier's report about a file, and what has to be drawn.
 *
 * @returns `doubtful` undefined if the file is not called VALID or ends with its signatures
 */
export function examine(
  name: string,
  file: Uint8Array,
  policy: VerificationPolicy,
): { report: VerificationReport; doubtful: Doubtful | undefined } {
  const source = memorySource(file)
  const report = verifyFile(source, name, policy)
  if (report.verdict !== 'VALID') return { report, doubtful: undefined }
  const document = readDocument(source)
  const signed = signatureDictionaries(document).flatMap(({ byteRange, fieldNames }) => {
    const [, , start, length] = byteRange as readonly number[]
    const end = start! + length!
    const reports = report.signatures.filter(({ field }) => fieldNames.includes(field))
    const listed = new Set(
      reports.flatMap(({ changes }) => changes.map(({ object }) => Number.parseInt(object, 10))),
    )
    const isSignature = reports.some(({ kind }) => kind === 'signature')
    const filled = needsAppearances(document) ? NONE : filledIn(reports)
    const noted = notedIn(reports)
    return isSignature && end < file.length ? { end, listed, filled, noted } : []
  })
  return { report, doubtful: signed.length === 0 ? undefined : { name, file, signed } }
}

const NONE: ReadonlyMap<string, string> = new Map()

/** Then readers draw the values themselves, each in its own way. */
const needsAppearances = (document: PdfDocument) =>
  document.resolve(acroFormOf(document)?.entries.get('NeedAppearances')) === true

const filledIn = (reports: readonly SignatureReport[]) =>
  new Map(
    reports.flatMap(({ changes }) =>
      changes.flatMap((change) =>
        change.code === 'field-filled'
          ? [[change.parameters.field, change.parameters.value] as const]
          : [],
      ),
    ),
  )

const notedIn = (reports: readonly SignatureReport[]) =>
  new Set(
    reports.flatMap(({ changes }) =>
      changes.flatMap((change) => (change.code === 'note-added' ? change.parameters.page : [])),
    ),
  )

type Looks = readonly Look[]

/** Draws files; remembers what signed parts look like, because many files share one. */
export function createOracle(readers: readonly Reader[] = READERS) {
  const known = new Map<string, Looks>()

  return async function draw(files: readonly Doubtful[]): Promise<Drawn[]> {
    const parts = files.map(({ file, signed }) => signed.map(({ end }) => file.subarray(0, end)))
    const fresh = new Map(parts.flat().map((part) => [sha256(part), part]))
    for (const key of known.keys()) fresh.delete(key)
    const wholes = files.map(({ file }) => file)
    const looks = await lookWith(readers, [...fresh.values(), ...wholes])
    for (const [at, key] of [...fresh.keys()].entries()) known.set(key, looks[at]!)
    const looksOfWholes = looks.slice(fresh.size)
    return Promise.all(
      files.map(async (file, at) => {
        const before = parts[at]!.map((part) => known.get(sha256(part))!)
        return { ...(await compared(file, before, looksOfWholes[at]!, readers)) }
      }),
    )
  }
}

async function compared(
  { name, file, signed }: Doubtful,
  before: readonly Looks[],
  after: Looks,
  readers: readonly Reader[],
): Promise<Drawn> {
  const differences: string[] = []
  for (const [at, { end, listed, filled, noted }] of signed.entries()) {
    const excuses = await excusesFor(file.subarray(0, end), file, listed)
    const values = await shownValues(file, filled, excuses)
    const placed = {
      signed: placedWords(before[at]!, readers),
      whole: placedWords(after, readers),
    }
    for (const [which, reader] of readers.entries()) {
      const [then, now] = [before[at]![which]!, after[which]!]
      const difference = differenceOf(then, now, excusesOf(reader, excuses), noted)
      const faults = faultsOfValues(then, now, values, {
        placed,
        mayLag: reader === GHOSTSCRIPT,
      })
      for (const fault of [...(difference === undefined ? [] : [difference]), ...faults])
        differences.push(`${reader.name}: ${fault}`)
    }
  }
  const unread = readers.filter((_, which) => 'refusal' in after[which]!).map((one) => one.name)
  return { name, file, differences: [...new Set(differences)], unread }
}

const excusesOf = (reader: Reader, excuses: readonly ExcusedField[]): readonly Excuse[] =>
  reader === MUPDF
    ? excuses.map((one) => ({ ...one, keepsInk: one.keepsInk && !one.isPlaceholder }))
    : excuses

/** Of each page, by a reader that finds the words of fields and their places; none if neither opens the file. */
function placedWords(
  after: Looks,
  readers: readonly Reader[],
): readonly (readonly Word[])[] | undefined {
  const look = [MUPDF, POPPLER]
    .map((reader) => after[readers.indexOf(reader)])
    .find((one) => one && 'pages' in one)
  return look && 'pages' in look ? look.pages.map(({ words }) => words) : undefined
}

/** @returns for each file the look of every reader */
function lookWith(
  readers: readonly Reader[],
  contents: readonly Uint8Array[],
): Promise<readonly Looks[]> {
  return inFolder(async (folder) => {
    const files = contents.map((bytes, at) => {
      const file = path.join(folder, `${at}.pdf`)
      writeFileSync(file, bytes)
      return file
    })
    const byReader = await Promise.all(readers.map((reader) => reader.look(files)))
    return files.map((_, at) => byReader.map((looks) => looks[at]!))
  })
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
