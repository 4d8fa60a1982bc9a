import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { Problem } from '#server/domain/problem.ts'
import {
  type FormEntries,
  readEntries,
  type SmallFile,
  type SmallFiles,
  type StreamedFile,
  streamFile,
  wipeFiles,
} from './body.ts'
import { entriesContext } from './context.ts'
import { CSRF_FIELD, mustBeOurForm } from './csrf.ts'
import { type StreamedFiles, streamFiles } from './stream-files.ts'
import { valuesByName } from './values-by-name.ts'

type Context = Readonly<RouterContextProvider>

/** One list of es-MX sentences a field; `form` for what concerns no single field. */
export type FormErrors = Record<string, string[] | undefined>

export type RejectedForm = {
  ok: false
  errors: FormErrors
  /** What was typed, for the form to show again; never a password. */
  values: Record<string, string>
}
export type ReadForm<T> = { ok: true; value: T } | RejectedForm

/** A small file of a form: a certificate, a private key. Empty when none was chosen. */
export const UploadedFile = z.custom<SmallFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value,
  'Elija un archivo.',
)

/**
 * Reads a form that came from one of our pages. The small files of one that is refused are overwritten.
 *
 * @param options.mostFields how many fields a form of this page may have, where that is more than usual
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`
 */
export async function readForm<S extends z.ZodType>(
  request: Request,
  context: Context,
  schema: S,
  options: { mostFields?: number } = {},
): Promise<ReadForm<z.output<S>>> {
  const entries = await readEntries(request, options)
  let isTaken = false
  try {
    mustBeOurForm(request, context, tokenIn(entries))
    const form = validate(entries, schema)
    isTaken = form.ok
    if (entries.every(([, value]) => typeof value === 'string'))
      context.set(entriesContext, entries)
    return form
  } finally {
    if (!isTaken) wipeFiles(entries)
  }
}

/**
 * Reads a form with one large file, which is handed on as a stream as soon as the fields before it hold.
 *
 * @param options see `streamFile`
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`, and what `accept` throws
 */
export function readUpload<S extends z.ZodType, T>(
  request: Request,
  context: Context,
  schema: S,
  accept: (value: z.output<S>, file: StreamedFile, smallFiles: Promise<SmallFiles>) => Promise<T>,
  options: { smallFiles?: number } = {},
): Promise<ReadForm<T>> {
  return streamFile(
    request,
    async (entries, file, smallFiles): Promise<ReadForm<T>> => {
      mustBeOurForm(request, context, tokenIn(entries))
      const form = validate(entries, schema)
      return form.ok ? { ok: true, value: await accept(form.value, file, smallFiles) } : form
    },
    options,
  )
}

/**
 * Reads a form with many large files, which are handed on one after the other as soon as the fields before
 * them hold.
 *
 * @param mostFiles see `streamFiles`
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`, and what `accept` throws
 */
export function readUploads<S extends z.ZodType, T>(
  request: Request,
  context: Context,
  schema: S,
  mostFiles: number,
  accept: (value: z.output<S>, files: StreamedFiles) => Promise<T>,
): Promise<ReadForm<T>> {
  return streamFiles(request, mostFiles, async (entries, files): Promise<ReadForm<T>> => {
    mustBeOurForm(request, context, tokenIn(entries))
    const form = validate(entries, schema)
    return form.ok ? { ok: true, value: await accept(form.value, files) } : form
  })
}

function validate<S extends z.ZodType>(entries: FormEntries, schema: S): ReadForm<z.output<S>> {
  const fields = entries.filter(([name]) => name !== CSRF_FIELD)
  const parsed = schema.safeParse(toRecord(fields), { error: () => INVALID })
  if (parsed.success) return { ok: true, value: parsed.data }
  return { ok: false, errors: errorsOf(parsed.error), values: typedValues(fields) }
}

/** For what the schema has no words of its own: no page of ours sends it. */
const INVALID = 'Este dato no es válido. Revíselo.'

/** A field that comes twice becomes a list: a schema that wants one value refuses it. */
function toRecord(entries: FormEntries): Record<string, unknown> {
  for (const [name, value] of entries)
    if (typeof value === 'string' && value.includes('\0'))
      throw new Problem('bad-request', `NUL in field ${name}`)
  const record: Record<string, unknown> = Object.create(null)
  for (const [name, value] of valuesByName(entries)) record[name] = value
  return record
}

function errorsOf(error: z.ZodError): FormErrors {
  const errors: FormErrors = {}
  for (const issue of error.issues) {
    const field = String(issue.path[0] ?? 'form')
    const sentences = errors[field] ?? []
    if (sentences.length < MOST_SENTENCES) sentences.push(issue.message)
    errors[field] = sentences
  }
  return errors
}

/** About one field; its page shows the first. */
const MOST_SENTENCES = 8

/** However long a text is, whoever wrote it gets it back: what a form may hold at all is bounded. */
function typedValues(entries: FormEntries): Record<string, string> {
  const isKept = ([name, value]: FormEntries[number]) =>
    typeof value === 'string' && !/password/i.test(name)
  return Object.fromEntries(entries.filter(isKept)) as Record<string, string>
}

function tokenIn(entries: FormEntries): string | undefined {
  const value = entries.find(([name]) => name === CSRF_FIELD)?.[1]
  return typeof value === 'string' ? value : undefined
}
