import { z } from 'zod'
import { SigningSessionId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

const Cursor = z
  .string()
  .transform((text) => text.split('.'))
  .transform(([at, id]) => ({ createdAt: Number(at), id }))
  .pipe(z.object({ createdAt: Instant, id: SigningSessionId }))

/** Where a page of the list begins, as the address says; undefined when that makes no sense. */
export function readCursor(text: string | undefined) {
  const parsed = Cursor.safeParse(text)
  return parsed.success ? parsed.data : undefined
}

export const writeCursor = ({ createdAt, id }: z.output<typeof Cursor>) => `${createdAt}.${id}`
