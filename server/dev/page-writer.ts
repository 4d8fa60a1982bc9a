import type { PageWriter, UnstyledPage } from '#server/web/page-writer.ts'

const write = ({ head, tail }: UnstyledPage) => ({
  bytes: new TextEncoder().encode(head + tail),
  encoding: 'identity' as const,
})

/** Writes every page as it was rendered, and keeps none: its sources may change. The page links its styles. */
export const sourcePageWriter: PageWriter = {
  write,
  writeForMany: (_shared, page) => write(page),
  writeAgain: () => undefined,
}
