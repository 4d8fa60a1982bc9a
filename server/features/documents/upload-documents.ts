import type { Document } from '#server/domain/documents/document.ts'
import type { FileName } from '#server/domain/documents/file-name.ts'
import {
  isShortenedAmongSeveral,
  titleAmongSeveral,
} from '#server/domain/documents/title-among-several.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { problemIn } from '#server/domain/installation/database-unreachable.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { hours } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type Content, DOUBLE_CLICK, storeUpload, type UploadDocument } from './upload-document.ts'

/** Most documents per upload. */
export const MOST_AT_ONCE = 100

/**
 * A user who repeats an upload, because some files failed or the connection broke, gets the stored documents
 * again.
 */
const RETRY_WINDOW = hours(1)

export type UploadedFile = { fileName: FileName; content: Content }

export type UploadDocuments = Omit<UploadDocument, 'fileName' | 'title'> & {
  /** Null: each document is named after its file. A single file requires a title. */
  title: string | null
  /** Whether files that the office has already are stored again. */
  isAgain: boolean
  /**
   * Each file is read before the next is requested. The iterator throws if the rest of the upload is invalid.
   */
  files: AsyncIterable<UploadedFile>
}

export type UploadOutcome = {
  /** In upload order. */
  stored: Document[]
  /** Ids of stored documents whose title lacks a part of what was typed or of the file name. */
  shortened: Set<Document['id']>
  /** Files that the office has already and that were not stored, each with the newest document of its content. */
  known: { fileName: FileName; document: Document }[]
  refused: { fileName: FileName; problem: Problem }[]
  /** Why the remaining files were not read; their names are unknown. */
  cutShort: Problem | null
}

/**
 * Stores each PDF as its own document, one by one. Documents that were stored stay, even if others fail. A
 * single file gets the title as it is; several get the title followed by the file name.
 *
 * @throws {Problem} `title-missing`, and see `uploadDocument`; only before anything was stored, later
 *   `cutShort` has it
 */
export async function uploadDocuments(
  system: System,
  actor: Actor,
  { files, title, ...rest }: UploadDocuments,
): Promise<UploadOutcome> {
  const result: UploadOutcome = {
    stored: [],
    shortened: new Set(),
    known: [],
    refused: [],
    cutShort: null,
  }
  const upcoming = peekable(files)
  try {
    for (
      let count = 1, item = await upcoming.next();
      !item.done;
      count += 1, item = await upcoming.next()
    ) {
      const { fileName, content } = item.value
      // The name is decided after the first file was read: only then is it known whether more follow.
      let isShortened = false
      const named = async () => {
        if (count === 1 && (await upcoming.peek()).done)
          return { title: titleAlone(title), sameWithin: DOUBLE_CLICK }
        isShortened = isShortenedAmongSeveral(title, fileName)
        return { title: titleAmongSeveral(title, fileName), sameWithin: RETRY_WINDOW }
      }
      try {
        if (count > MOST_AT_ONCE) throw new Problem('too-many-files', `file ${count} of one form`)
        const input = { ...rest, fileName, content }
        const { kind, document } = await storeUpload(system, actor, input, named)
        if (kind === 'known') {
          result.known.push({ fileName, document })
          continue
        }
        result.stored.push(document)
        if (isShortened) result.shortened.add(document.id)
      } catch (error) {
        if (!isAboutOneFile(error)) throw error
        result.refused.push({ fileName, problem: error })
      }
    }
  } catch (error) {
    const isNothingKept = result.stored.length + result.known.length === 0
    const problem = problemIn(error)
    if (!problem || isNothingKept) throw error
    result.cutShort = problem
  }
  return result
}

function titleAlone(title: string | null): string {
  if (title === null) throw new Problem('title-missing', 'one file without a title')
  return title
}

/** `peek` returns the item that `next` returns next. */
function peekable<T>(items: AsyncIterable<T>) {
  const iterator = items[Symbol.asyncIterator]()
  let ahead: Promise<IteratorResult<T>> | undefined
  const peek = () => {
    ahead ??= iterator.next()
    return ahead
  }
  const next = () => {
    const item = peek()
    ahead = undefined
    return item
  }
  return { peek, next }
}

/** Errors of a single file, after which the others are still stored. */
const OF_ONE_FILE: ReadonlySet<ProblemCode> = new Set([
  'too-large',
  'too-many-files',
  'empty-file',
  'not-a-pdf',
  'damaged-pdf',
  'encrypted-pdf',
  'change-protected-pdf',
  'pdf-too-complex',
  'private-key-uploaded',
  'dynamic-xfa',
  'number-used',
  'number-explained',
  'certificate-uploaded',
])

const isAboutOneFile = (error: unknown): error is Problem =>
  error instanceof Problem && OF_ONE_FILE.has(error.code)
