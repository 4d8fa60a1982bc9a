import { chmod, copyFile, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Writes `target` as the bytes of `base` followed by `increment`. Whoever looks sees the old target or the
 * whole new one; it is durable once this returns.
 */
export async function writeAppended(
  base: string,
  increment: Uint8Array,
  target: string,
): Promise<void> {
  const temporary = `${target}.${process.pid}.tmp`
  try {
    // The system copies, or shares the blocks, without the bytes passing through us.
    await copyFile(base, temporary)
    // The copy of a read-only file is read-only too.
    await chmod(temporary, 0o644)
    const file = await open(temporary, 'a')
    try {
      await file.writeFile(increment)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } finally {
    await rm(temporary, { force: true })
  }
  const folder = await open(path.dirname(target), 'r')
  await folder.sync().finally(() => folder.close())
}
