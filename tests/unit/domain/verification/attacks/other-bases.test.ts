import { testFamilies } from '#tests/attacks/attack-suite.ts'
import { OTHER_BASES } from '#tests/attacks/other-bases.ts'

testFamilies(OTHER_BASES)
