//! Mails and rich texts of other shapes than those of the tests.

/// Mails, whose lines end in `\n` here.
pub const MAILS: &[(&str, &str)] = &[
    (
        "plain.eml",
        "From: a@b.example\nTo: group: c@d.example, \"E, F\" <e@f.example>;\nSubject: plain\n\
         Date: 1 Jan 24 10:00 EST\n\nwords\n",
    ),
    (
        "inner.eml",
        "From: a@b.example\nContent-Type: multipart/digest; boundary=\"x y\"\n\n--x y\n\nSubject: inner\n\n\
         first\n--x y\nContent-Type: message/rfc822\n\nSubject: other\nContent-Type: text/html; charset=koi8-r\n\
         Content-Transfer-Encoding: base64\n\nPHA+aGVsbG88L3A+\n--x y--\n",
    ),
    (
        "names.eml",
        "From: =?utf-7?Q?+AOQ-?= <a@b.example>\nSubject: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= =?x?X?y?=\n\
         Content-Type: text/rtf; name*0*=utf-8''a%20; name*1=b.rtf\n\
         Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.rtf\n\n{\\rtf1 in}\n",
    ),
    (
        "encoded.eml",
        "MIME-Version: 1.0 (a (nested) comment)\nContent-Type: text/plain; charset=shift_jis\n\
         Content-Transfer-Encoding: quoted-printable\n\n=93=FA=96{ soft=\n break =3D =XY\n",
    ),
    (
        "broken.eml",
        "Subject: folded\n\tagain\nX-Empty:\nReceived: from x by y; Mon, 32 Foo 2024 99:99:99 +9999\n\n\
         begin 644 a.txt\n#0V%T\n`\nend\n",
    ),
];

/// Rich texts.
pub const RICH_TEXTS: &[(&str, &str)] = &[
    (
        "unicode.rtf",
        r"{\rtf1\ansi\ansicpg932\uc2\u-10179 ??\u-8704 ??{\uc0\u8364}\'93\'fa\~\_\-\bin3 {}}x\u65536 ?}",
    ),
    (
        "tables.rtf",
        r"{\rtf1\mac{\fonttbl{\f0\fcharset2 Symbol;}{\f1\fcharset128 Mincho;}}\trowd a\cell b\cell\row
        {\*\bkmkstart m}{\f1\'93\'fa}{\footnote note}\page}",
    ),
    ("broken.rtf", r"{\rtf1 {{{\info{\title t{\author a}}\bin99999 x}}}}}\'z\"),
];
