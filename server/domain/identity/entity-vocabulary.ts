/** What the bound volumes of a protocol are called. */
export type VolumeWord = 'libro' | 'volumen' | 'tomo'

/** Where the law of an entity has a word of its own; everywhere else it is a book. */
const VOLUME_WORDS: Record<string, VolumeWord> = {
  'estado de mexico': 'volumen',
  mexico: 'volumen',
  jalisco: 'tomo',
  puebla: 'tomo',
}

/** How the notaries of an entity of the federation call the volumes of their protocol. */
export const volumeWordOf = (entity: string): VolumeWord => VOLUME_WORDS[plain(entity)] ?? 'libro'

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
