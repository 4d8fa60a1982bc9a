export const UNREADABLE = 'Un archivo que eligió cambió o ya no está en su lugar. Elíjalo otra vez.'

/** A drive of the network may not answer either. */
const PATIENCE_MS = 2_000

/**
 * Whether a chosen file has been changed or removed since. A browser does not send such a file, and the error is the same as
 * without a connection.
 *
 * @param form whose files were sent; without it those of the page
 */
export async function hasUnreadableFile(form?: HTMLFormElement): Promise<boolean> {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main input[type=file]')]
  const sent = form ? fields.filter((field) => field.form === form) : fields
  const files = sent.flatMap((field) => [...(field.files ?? [])])
  const late = new Promise<[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []))
  const read = await Promise.race([Promise.allSettled(files.map(beginOf)), late])
  return read.some(({ status }) => status === 'rejected')
}

/** A slice of a file that is gone would be empty, without an error. */
async function beginOf(file: File): Promise<void> {
  const reader = file.stream().getReader()
  await reader.read()
  await reader.cancel()
}
