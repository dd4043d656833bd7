/// How a report's page looks. Every pair of text and ground has a contrast of 4.5 or more, in light, in
/// dark and on paper.
enum ReportPageStyle {
    static let css = """
        :root { color-scheme: light dark; --ground: #fff; --text: #1b1d22; --quiet: #585e6a;
          --line: #d4d8e0; --good: #1a6a3b; --open: #7c4a00; --bad: #a3231c; --deleted: #1f7a45;
          --already: #7fb899; --kept: #b9770e; --failed: #b3261e; --left: #d9776f }
        @media (prefers-color-scheme: dark) { :root { --ground: #131519; --text: #e8eaef;
          --quiet: #a4abb8; --line: #31363f; --good: #83d6a2; --open: #f2c172; --bad: #ff9f96;
          --deleted: #4cb87b; --already: #2f6b4a; --kept: #e0a63c; --failed: #ef6a60; --left: #a8443c } }
        * { box-sizing: border-box }
        body { margin: 0; background: var(--ground); color: var(--text);
          font: .94rem/1.45 system-ui, "Liberation Sans", "DejaVu Sans", sans-serif }
        main { max-width: 60rem; margin: 0 auto; padding: 1rem }
        h1 { margin: 0; font-size: 2rem; line-height: 1.2 }
        h2 { margin: 1.2rem 0 .3rem; font-size: 1rem; overflow-wrap: anywhere }
        p { margin: .3rem 0 }
        small { color: var(--quiet); font-weight: 400; font-size: .8rem; overflow-wrap: anywhere }
        code { overflow-wrap: anywhere; font-size: .85em }
        header { border-left: .4rem solid; padding-left: .8rem }
        header.good { border-color: var(--good) } header.good h1 { color: var(--good) }
        header.open { border-color: var(--open) } header.open h1 { color: var(--open) }
        header.bad { border-color: var(--bad) } header.bad h1 { color: var(--bad) }
        .case { color: var(--quiet); overflow-wrap: anywhere }
        .rehearsal { border: 2px solid var(--open); padding: .4rem .8rem; margin-bottom: 1rem;
          overflow-wrap: anywhere }
        dl { margin: .8rem 0; display: grid; gap: .3rem 1rem }
        dt { color: var(--quiet); font-size: .8rem } dd { margin: 0 }
        .numbers { grid-template-columns: repeat(auto-fit, minmax(5.5rem, 1fr)) }
        .numbers dd { font-size: 1.4rem; font-variant-numeric: tabular-nums }
        .facts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)) }
        .facts div { display: flex; gap: .6rem } .facts dt { flex: 0 0 5.5rem }
        .facts dd { overflow-wrap: anywhere; font-size: .85rem }
        ul, ol { margin: .2rem 0; padding: 0; list-style: none }
        .rows li { display: grid; grid-template-columns: 15rem 1fr 13rem; gap: 0 .8rem;
          align-items: center; border-top: 1px solid var(--line); padding: .15rem 0 }
        .rows .count { font-variant-numeric: tabular-nums; font-size: .85rem }
        .rows .why { grid-column: 1 / -1; color: var(--quiet); font-size: .8rem }
        .bar { width: 100%; height: .7rem; display: block; background: var(--line) }
        .deleted { fill: var(--deleted) } .already { fill: var(--already) } .kept { fill: var(--kept) }
        .failed { fill: var(--failed) } .left { fill: var(--left) } .clean { fill: var(--deleted) }
        .out { fill: var(--already) } .run { fill: var(--quiet) } .plan { fill: var(--kept) }
        .line { width: 100%; height: 1.1rem; display: block; margin: .3rem 0 }
        .times { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr));
          font-size: .85rem; gap: 0 1rem }
        .empty, .gaps { color: var(--quiet); font-size: .85rem; overflow-wrap: anywhere }
        .gaps li { padding-left: 1rem; text-indent: -1rem } .gaps li::before { content: "– " }
        .gaps .open { color: var(--bad) }
        @media (max-width: 40rem) { .rows li { grid-template-columns: 1fr; padding: .4rem 0 } }
        @page { size: A4; margin: 12mm }
        @media print { :root { font-size: 8.8pt; color-scheme: light; --ground: #fff; --text: #000; --quiet: #444;
          --line: #bbb; --good: #1a6a3b; --open: #7c4a00; --bad: #a3231c; --deleted: #1f7a45;
          --already: #7fb899; --kept: #b9770e; --failed: #b3261e; --left: #d9776f }
          body { line-height: 1.3; print-color-adjust: exact }
          main { max-width: none; padding: 0 } h2 { margin-top: .8rem } .rows li { padding: 0 }
          section, header, li { break-inside: avoid } dl { margin: .5rem 0 } }
        """
}
