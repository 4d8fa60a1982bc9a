/** Many tries of one kind, each of which is the same for the same seed and number. */
export type Campaign = {
  /** Without `--count`. */
  count: number
  /** A line about what cannot be tried on this machine. */
  note?: string
  /** @returns a sentence for each fault */
  tryOne(number: number): Promise<string[]>
  /** Checks that take too long to follow each try. @returns a sentence for each fault */
  end(): Promise<string[]>
  /** Ends what it started; also after an interrupt. */
  close(): Promise<void>
  /** Facts for the last line, such as how many of the tries met a full disk. */
  figures(): Record<string, number>
}

export type CampaignOptions = {
  /** The commit of the release that is upgraded. */
  release: string | undefined
}

export type StartCampaign = (
  seed: number,
  first: number,
  options: CampaignOptions,
) => Promise<Campaign>
