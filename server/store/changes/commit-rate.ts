/** Commits are frequent when this many came within this time. */
const manyCommits = 4
const commitsWithinMs = 50

export interface CommitRate {
  recordCommit(): void
  isHigh(): boolean
}

/** Tells whether commits are frequent: the server then is under load. */
export function openCommitRate(): CommitRate {
  const commits = Array<number>(manyCommits).fill(-Infinity)
  return {
    recordCommit() {
      commits.shift()
      commits.push(performance.now())
    },
    isHigh: () => performance.now() - commits[0]! < commitsWithinMs,
  }
}
