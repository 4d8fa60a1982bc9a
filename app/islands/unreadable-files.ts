export const UNREADABLE = 'Un archivo que eligió cambió o ya no está en su lugar. Elíjalo otra vez.'

/**
 * Whether a file that was chosen on the page has been changed or removed since. A browser does not send such a file, and the
 * error is the same as without a connection.
 */
export async function hasUnreadableFile(): Promise<boolean> {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=file]')
  const files = [...fields].flatMap((field) => [...(field.files ?? [])])
  const read = await Promise.allSettled(files.map(beginOf))
  return read.some(({ status }) => status === 'rejected')
}

/** A slice of a file that is gone would be empty, without an error. */
async function beginOf(file: File): Promise<void> {
  const reader = file.stream().getReader()
  await reader.read()
  await reader.cancel()
}
