struct Loop {}
