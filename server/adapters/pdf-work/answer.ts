import { PdfError, type PdfErrorCode } from '#server/domain/pdf/error.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'

/**
 * What a worker sends back. An error loses its own fields between two threads, so a refusal travels as
 * a value.
 */
export type Answer<T> = { ok: true; value: T } | { ok: false; code: ProblemCode; message: string }

const REFUSALS: Record<PdfErrorCode, ProblemCode> = {
  'not-a-pdf': 'not-a-pdf',
  damaged: 'damaged-pdf',
  'too-complex': 'pdf-too-complex',
  encrypted: 'encrypted-pdf',
  'change-protected': 'change-protected-pdf',
}

/** Turns a task into one that answers with its refusals; a bug still throws. */
export function answering<Input, T>(task: (input: Input) => T | Promise<T>) {
  return async (input: Input): Promise<Answer<T>> => {
    try {
      return { ok: true, value: await task(input) }
    } catch (error) {
      const code = refusalCode(error)
      if (!code) throw error
      return { ok: false, code, message: (error as Error).message }
    }
  }
}

/** @throws {Problem} that the worker met */
export function valueFrom<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw new Problem(answer.code, answer.message)
}

function refusalCode(error: unknown): ProblemCode | undefined {
  if (error instanceof Problem) return error.code
  if (error instanceof PdfError) return REFUSALS[error.code]
  return undefined
}
