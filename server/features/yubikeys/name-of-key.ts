import type { Yubikey } from '#server/domain/yubikeys/yubikey.ts'

/** `YubiKey 5C NFC 12345678`: how the log and alerts name it. */
export const nameOfKey = ({ model, serial }: Pick<Yubikey, 'model' | 'serial'>) =>
  `${model} ${serial}`
