/** A scenario fails at these values and above: the server's memory, and the latency that another account than the attackers' sees. */
export const bars = {
  httpP99Ms: 100,
  smtpP99Ms: 250,
  rssMegabytes: 600,
}

export const quietMs = 2_000
export const attackMs = 8_000

/** Time limit of a request or mail of the measured account; beyond it, it counts as an error of this duration. */
export const answerTimeoutMs = 5_000

/** If a timer of 5 ms is later than this (p99) before the attack, other processes use the machine. */
export const busyMachineMs = 15

/** Connections of an attack; below the server's limits of streams per account and of SMTP sessions per address. */
export const attackConnections = 95

/** Added to the nice value of the attackers' process, so that the figures show the server's fairness and not the scheduler's. */
export const niceness = 10

/** The attackers connect from this address and the measured account from 127.0.0.1, since limits count by address. */
export const attackersAddress = '127.0.0.2'
