import type { Document } from '#server/domain/documents/document.ts'
import type { FileName } from '#server/domain/documents/file-name.ts'
import { titleAmongSeveral } from '#server/domain/documents/title-among-several.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { hours } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type Content, DOUBLE_CLICK, takeIn, type UploadDocument } from './upload-document.ts'

/** How many documents may be brought in at once. */
export const MOST_AT_ONCE = 100

/** Whoever gives many files again, because some were bad or the line broke, gets those again that are in. */
const GIVEN_AGAIN = hours(1)

export type BroughtFile = { fileName: FileName; content: Content }

export type UploadDocuments = Omit<UploadDocument, 'fileName' | 'title'> & {
  /** Null: each has the name of its file. One file alone wants a title. */
  title: string | null
  /** Each is read before the next is asked for. Asking throws what is wrong with all the rest. */
  files: AsyncIterable<BroughtFile>
}

export type Brought = {
  /** In the order of the files. */
  stored: Document[]
  refused: { fileName: FileName; problem: Problem }[]
  /** Why the files behind these were not looked at: their names are not known. */
  cutShort: Problem | null
}

/**
 * Takes each PDF in as a document of its own, one after the other. What was stored stays, whatever is wrong
 * with another. One file alone has the title as it is; among several each has the name of its file behind it.
 *
 * @throws {Problem} `title-missing`, and see `uploadDocument`, but only before anything was stored: `cutShort` has it afterwards
 */
export async function uploadDocuments(
  system: System,
  actor: Actor,
  { files, title, kind, instrument }: UploadDocuments,
): Promise<Brought> {
  const brought: Brought = { stored: [], refused: [], cutShort: null }
  const coming = lookingAhead(files)
  try {
    for (
      let count = 1, now = await coming.next();
      !now.done;
      count += 1, now = await coming.next()
    ) {
      const { fileName, content } = now.value
      // The first is read by the time it needs a title: only then is it known whether it is alone.
      const named = async () =>
        count === 1 && (await coming.peek()).done
          ? { title: titleAlone(title), sameWithin: DOUBLE_CLICK }
          : { title: titleAmongSeveral(title, fileName), sameWithin: GIVEN_AGAIN }
      try {
        if (count > MOST_AT_ONCE) throw new Problem('too-many-files', `file ${count} of one form`)
        const input = { kind, instrument, fileName, content }
        brought.stored.push(await takeIn(system, actor, input, named))
      } catch (error) {
        if (!isAboutOneFile(error)) throw error
        brought.refused.push({ fileName, problem: error })
      }
    }
  } catch (error) {
    if (!(error instanceof Problem) || brought.stored.length === 0) throw error
    brought.cutShort = error
  }
  return brought
}

function titleAlone(title: string | null): string {
  if (title === null) throw new Problem('title-missing', 'one file without a title')
  return title
}

/** What `peek` gives is what `next` gives next. */
function lookingAhead<T>(items: AsyncIterable<T>) {
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

/** What is wrong with a file, and no reason to leave the others out. */
const OF_ONE_FILE: ReadonlySet<ProblemCode> = new Set([
  'too-large',
  'too-many-files',
  'empty-file',
  'not-a-pdf',
  'damaged-pdf',
  'encrypted-pdf',
  'pdf-too-complex',
  'private-key-uploaded',
  'certificate-uploaded',
])

const isAboutOneFile = (error: unknown): error is Problem =>
  error instanceof Problem && OF_ONE_FILE.has(error.code)
