import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { folderStore } from '#server/adapters/blobs/folder-store.ts'
import { PARTS_FOLDER } from '#server/domain/documents/stored-file.ts'
import { copyFiles, removeCopied } from '#server/features/installation/copy-files.ts'
import { testFolders } from '#tests/support/each-store.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('files that move to another store', (current) => {
  const folders = testFolders()

  /** A store with these parts of uploads. */
  function storeWith(parts: Record<string, string>) {
    const folder = folders.another()
    const add = (name: string, content: string) => {
      mkdirSync(path.join(folder, PARTS_FOLDER), { recursive: true })
      writeFileSync(path.join(folder, PARTS_FOLDER, name), content)
    }
    for (const [name, content] of Object.entries(parts)) add(name, content)
    const store = folderStore(folder)
    const names = async () =>
      (
        await Array.fromAsync(store.list(PARTS_FOLDER), ({ name }) => path.basename(name))
      ).toSorted()
    return { store, add, names }
  }

  test('a part leaves the source once the target has it; one that came later stays', async () => {
    const [from, to] = [storeWith({ copied: 'one part' }), storeWith({})]
    const move = { from: from.store, to: to.store }
    await copyFiles(current(), move)
    from.add('later', 'another part')
    from.add('cut', 'a whole part')
    to.add('cut', 'a whole')
    await removeCopied(current(), move)
    expect(await from.names()).toEqual(['cut', 'later'])
    expect(await to.names()).toEqual(['copied', 'cut'])
  })
})
