import { join } from 'node:path'
import type { FileStore } from '#server/ports/file-store.ts'
import { folderStore } from './folder-store.ts'
import type { S3Place } from './s3-objects.ts'
import { openS3Store } from './s3-store.ts'
import { twoStores } from './two-stores.ts'

/** Where stored files may lie: the folder of the data, or a bucket. */
export type StorePlace = 'folder' | S3Place

export type StoreOptions = {
  /** Files lie in it, or are at least written there before they are uploaded. */
  folder: string
  place: StorePlace
  /** While files move, where else they lie. */
  also?: StorePlace | undefined
  /** The local copies of what lies in buckets; null keeps a copy only while it is used. */
  cache: { folder: string; limit: number } | null
}

export type OpenedStores = {
  main: FileStore
  also: FileStore | undefined
  /** Both as one. */
  files: FileStore
  incoming: string
  /** The folder with the files of releases before 0029, if it is one of the places. */
  plain: string | null
}

/** Nothing is read or written. A name is not to be in both places with different contents. */
export async function openStores({
  folder,
  place,
  also,
  cache,
}: StoreOptions): Promise<OpenedStores> {
  const incoming = incomingOf(folder)
  const main = await openStore(place, { folder, cache })
  const other = also && (await openStore(also, { folder, cache }))
  const hasFolder = place === 'folder' || also === 'folder'
  return {
    ...{ main, also: other, incoming },
    files: other ? twoStores(main, other) : main,
    plain: hasFolder ? folder : null,
  }
}

export async function openStore(
  place: StorePlace,
  { folder, cache }: Pick<StoreOptions, 'folder' | 'cache'>,
): Promise<FileStore> {
  if (place === 'folder') return folderStore(folder)
  // Apart from the copies of the server: they are for its users.
  const once = { folder: join(incomingOf(folder), 'once'), limit: 0 }
  return await openS3Store(place, cache ?? once)
}

const incomingOf = (folder: string) => join(folder, 'incoming')
