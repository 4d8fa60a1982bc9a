import type { PageWriter, UnstyledPage } from '#server/web/page-writer.ts'

const write = ({ head, tail }: UnstyledPage) => ({
  bytes: Buffer.concat([head, tail]),
  encoding: 'identity' as const,
})

/** Writes each page as rendered and keeps none, because its sources may change. The page links its styles itself. */
export const sourcePageWriter: PageWriter = {
  write,
  writeForMany: (_shared, page) => write(page),
  writeAgain: () => undefined,
}
