def main(folder, options): return 0
