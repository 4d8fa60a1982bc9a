import { answerTo } from '#app/http/problems.ts'
import type { StreamedFiles } from '#app/http/stream-files.ts'
import type { KnownDocument, UploadResult } from '#app/ui/upload/upload-answer.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { FileName } from '#server/domain/documents/file-name.ts'
import type { Problem } from '#server/domain/problem.ts'
import {
  MOST_AT_ONCE,
  type UploadedFile,
  type UploadOutcome,
} from '#server/features/documents/upload-documents.ts'

/** Files above the limit are reported as refused; above this one the form is malformed. */
export const MAX_FILES_READ = 5 * MOST_AT_ONCE

/** Yields each file with its name made safe to display. */
export async function* named(files: StreamedFiles): AsyncGenerator<UploadedFile> {
  for await (const { name, chunks } of files)
    yield { fileName: FileName.parse(name), content: chunks }
}

/**
 * Returns the document of an upload of one file; undefined for several files.
 *
 * @throws {Problem} the refusal of the only file
 */
export function singleDocument({
  stored,
  known,
  refused,
  cutShort,
}: UploadOutcome): Document | undefined {
  if (stored.length + known.length + refused.length !== 1 || cutShort) return undefined
  if (refused[0]) throw refused[0].problem
  return stored[0]
}

/** The documents that the office has with the content of these files; identical files are one. */
export const knownIn = ({ known }: UploadOutcome): KnownDocument[] => [
  ...new Map(
    known.map(({ document: { id, folio, title } }) => [id, { id, folio, title }]),
  ).values(),
]

/** Returns the response to an upload of several files: the status, and the result of each file. */
export function uploadResultOf(
  { stored, shortened, refused, cutShort }: UploadOutcome,
  megabytes: number,
) {
  const firstProblem = cutShort ?? refused[0]?.problem
  const uploadResult: UploadResult = {
    // Identical files are one document.
    stored: [...new Map(stored.map((document) => [document.id, document])).values()].map(
      ({ id, folio, title, state }) => ({
        id,
        folio,
        title,
        state,
        isShortened: shortened.has(id),
      }),
    ),
    refused: refused.map(({ fileName, problem }, place) => ({
      place,
      name: fileName,
      sentence: sentenceFor(problem, megabytes),
    })),
    isCutShort: cutShort !== null,
  }
  return { uploadResult, status: firstProblem ? answerTo(firstProblem).status : 200 }
}

function sentenceFor(problem: Problem, megabytes: number): string {
  if (problem.code !== 'too-large') return answerTo(problem).sentence
  return `El archivo supera el límite de ${megabytes} MB. No se guardó; elija uno más pequeño.`
}
