/** The word for the bound volumes of a protocol. */
export type VolumeWord = 'libro' | 'volumen' | 'tomo'

/** Entities whose law has its own word; elsewhere it is "libro". */
const VOLUME_WORDS: Record<string, VolumeWord> = {
  'estado de mexico': 'volumen',
  mexico: 'volumen',
  jalisco: 'tomo',
  puebla: 'tomo',
}

/** The word that notaries of a federal entity use for a volume. */
export const volumeWordOf = (entity: string): VolumeWord => VOLUME_WORDS[plain(entity)] ?? 'libro'

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
