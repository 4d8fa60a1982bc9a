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

/** es-MX sentences by field; `form` for the form as a whole. */
export type FormErrors = Record<string, string[] | undefined>

type RejectedForm = {
  ok: false
  errors: FormErrors
  /** The submitted values, to fill the form again; never a password. */
  values: Record<string, string>
}
export type ReadForm<T> = { ok: true; value: T } | RejectedForm

/** A small file of a form: a certificate, a private key. Empty if the user chose none. */
export const UploadedFile = z.custom<SmallFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value,
  'Elija un archivo.',
)

/** What the form of this request had, by field, as it was typed; empty if it had files. */
export const typedIn = (context: Context): Record<string, string> =>
  Object.fromEntries(context.get(entriesContext) ?? []) as Record<string, string>

/**
 * Reads and validates a form of one of our pages. Wipes the small files of a refused form.
 *
 * @param options.maxFields limit of fields, if this page needs more than usual
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`
 */
export async function readForm<S extends z.ZodType>(
  request: Request,
  context: Context,
  schema: S,
  options: { maxFields?: number } = {},
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
 * Reads a form with one large file. `accept` gets the file as a stream once the fields before it are valid.
 *
 * @param options see `streamFile`
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`, `too-slow`, and what `accept` throws
 */
export function readUpload<S extends z.ZodType, T>(
  request: Request,
  context: Context,
  schema: S,
  accept: (value: z.output<S>, file: StreamedFile, smallFiles: Promise<SmallFiles>) => Promise<T>,
  options: { smallFiles?: number; isPaced?: boolean } = {},
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
 * Reads a form with many large files. `accept` gets them as streams, one after the other, once the fields
 * before them are valid.
 *
 * @param maxFiles see `streamFiles`
 * @throws {Problem} `cross-site`, `bad-request`, `too-large`, and what `accept` throws
 */
export function readUploads<S extends z.ZodType, T>(
  request: Request,
  context: Context,
  schema: S,
  maxFiles: number,
  accept: (value: z.output<S>, files: StreamedFiles) => Promise<T>,
): Promise<ReadForm<T>> {
  return streamFiles(request, maxFiles, async (entries, files): Promise<ReadForm<T>> => {
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

/** Used where the schema has no sentence: none of our pages sends such a value. */
const INVALID = 'Este dato no es válido. Revíselo.'

/** A repeated field becomes a list, which a schema of a single value refuses. */
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
    if (sentences.length < MAX_SENTENCES) sentences.push(issue.message)
    errors[field] = sentences
  }
  return errors
}

/** Per field; the page shows the first. */
const MAX_SENTENCES = 8

/** Returns the submitted texts in full; the limits of the form bound their size. */
function typedValues(entries: FormEntries): Record<string, string> {
  const isKept = ([name, value]: FormEntries[number]) =>
    typeof value === 'string' && !/password/i.test(name)
  return Object.fromEntries(entries.filter(isKept)) as Record<string, string>
}

function tokenIn(entries: FormEntries): string | undefined {
  const value = entries.find(([name]) => name === CSRF_FIELD)?.[1]
  return typeof value === 'string' ? value : undefined
}
